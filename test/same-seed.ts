// Property tests draw the same cases in every run of `npm test`, so that a failure is the change's and not the day's.
// FC_SEED=… draws others: for exploring, and for a seed that somebody reports.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20261115) });
