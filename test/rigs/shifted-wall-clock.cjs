// Preloaded into real processes: their wall clock is off by as many milliseconds as the file says at that moment. The monotonic clock stays.
'use strict';
const { readFileSync } = require('node:fs');

const RealDate = Date;
const shiftMs = () => Number(readFileSync(process.env.WALL_SHIFT_FILE, 'utf8'));
const now = () => RealDate.now() + shiftMs();

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};
