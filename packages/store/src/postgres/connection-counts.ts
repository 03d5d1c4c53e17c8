/** How many connections a node has to the database in all: unless it is told otherwise, and at least. */
export const defaultConnections = 20;
export const fewestConnections = 4;
