// The work is to begin again, with more of the plans than were loaded for it.

export class PlanNeeded extends Error {
  constructor() {
    super('this needs the plans, which were not loaded');
  }
}
