/** Git could not do what it was asked for. The message is the end of a sentence. */
export class GitTrouble extends Error {}
