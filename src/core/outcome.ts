export type Outcome = 'complete' | 'failed' | 'stuck' | 'waiting' | 'paused' | 'aborted';
export interface Summary {
  readonly totalTasks: number;
  readonly completed: number;
  readonly pending: number;
  readonly in_progress: number;
  readonly failed: number;
  readonly blocked: number;
  readonly suspended: number;
  readonly skipped: number;
}
