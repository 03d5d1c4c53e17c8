/** How many connections a node has to the database in all. */
export const defaultConnections = 20;
export const fewestConnections = 4;
