// Tells a process that nobody reads along: what it prints is bounded. Apart from what starts it, because every command reads it.
export const detachedVariable = 'SIGNALBOX_DETACHED';
