// Durations that people type, read as plans read them.
export { durationForm, readDuration } from '../../plan/keys/duration.ts';
