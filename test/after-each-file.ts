// Set up again for each file of tests, also in a worker that many share.
import { afterAll } from 'vitest';
import { takeAway } from './rigs/left-behind.ts';

afterAll(takeAway);
