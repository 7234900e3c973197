// Loaded before the command line: when it ends, what it took is written to the third descriptor. The start of Node counts.
'use strict';
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cost = {
    clock: performance.now(),
    processor: (userCPUTime + systemCPUTime) / 1_000,
    megabytes: maxRSS / 1_024,
  };
  require('node:fs').writeSync(3, JSON.stringify(cost));
});
