// How much of a file is read. A plan of 10,000 tasks is read in a quarter of a second, one of 100,000 in two or three; what is
// larger was hardly meant as one.

/** Readers stop behind the first task above it, so that the message can name its line. */
export const mostTasks = 200_000;

/** Characters of a line in markdown: whatever is said in one line is taken apart word by word. */
export const longestLine = 1_000_000;

/** Lines of markdown without another task: nobody writes them into a plan, and what is so long is a log, or a block that is not closed. */
export const mostIdleLines = 150_000;

/** Errors of a markdown plan: a hundred of each kind are told, and behind these nobody counts the others. */
export const mostErrors = 100_000;

/**
 * Bytes of a file, and characters of a text that somebody hands over. 100,000 tasks with files, checks and prose, as `npm run bench`
 * has them, are 39 MB of markdown, 44 MB of YAML and 42 MB of JSON; such a plan has to be readable, and nobody would write a larger one.
 */
export const largestFile = 45_000_000;
