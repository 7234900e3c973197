// Colours, or none: everything that is coloured goes through here, so that NO_COLOR holds everywhere.
import picocolors from 'picocolors';

export type Paint = ReturnType<typeof picocolors.createColors>;

export const paintFor = (color: boolean): Paint => picocolors.createColors(color);
