// How the name of a plan file ends.

const ending = /\.(?:md|markdown|ya?ml)$/i;

export const isPlanName = (name: string): boolean => ending.test(name);
export const withoutPlanEnding = (name: string): string => name.replace(ending, '');
