import { createContext } from 'react';

/** Whether the alert rules of the station that is shown have never been read, so that 0 means nothing. */
export const RulesUnread = createContext(false);
