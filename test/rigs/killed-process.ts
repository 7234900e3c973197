// For tests: performs one step in a process of its own that kills itself, without a word, at the nth call of the file system.
// Arguments: the step, the root of the workspace, and n (0 for never). Says how many calls there were when it was not killed.
import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [step, root, nth] = process.argv.slice(2);
let calls = 0;
let isCounting = false;

function countCalls(functions: Record<string, unknown>): void {
  for (const [name, original] of Object.entries(functions)) {
    if (typeof original !== 'function' || !/^[a-z]/.test(name)) continue;
    functions[name] = function counted(this: unknown, ...args: unknown[]) {
      if (isCounting && ++calls === Number(nth)) process.kill(process.pid, 'SIGKILL');
      return original.apply(this, args);
    };
  }
}

const { takeBeforeImage } = await import('../../src/files/take-before-image.ts');
const { saveWork } = await import('../../src/files/save-work.ts');
const { putBack } = await import('../../src/files/put-back.ts');
const { about } = await import('./scratch-tree.ts');
countCalls(fs as unknown as Record<string, unknown>);
countCalls(fs.promises as unknown as Record<string, unknown>);
syncBuiltinESMExports();

const request = { root: root!, folder: `${root}/.signalbox`, token: 7 };
writeSync(1, 'ready\n');
isCounting = true;
try {
  if (step === 'take') await takeBeforeImage({ ...request, keys: ['src', 'lib/**'] });
  else if (step === 'save') await saveWork({ ...request, about: about() });
  else await putBack(request);
  isCounting = false;
  writeSync(1, `calls ${calls}\n`);
} catch (error) {
  isCounting = false;
  writeSync(1, `failed ${error instanceof Error ? error.message : error}\n`);
}
