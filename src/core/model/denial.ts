/** How a denial of our hooks begins: programs list what was denied, and not all of them say by whom. */
export const denialLead = 'Signalbox: ';
