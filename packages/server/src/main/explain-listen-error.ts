import { InvalidSettings } from '../settings/invalid-settings.ts';

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Why the server cannot listen there, and which setting helps: `variables` is how their names begin. */
export function explainListenError(
  error: NodeJS.ErrnoException,
  { host, port }: Place,
  variables: 'ROSTER' | 'ROSTER_METRICS',
): Error {
  const where = `${host}:${port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new InvalidSettings([
        `${where} is in use by another program; set ${variables}_PORT to a free port`,
      ]);
    case 'EACCES':
      return new InvalidSettings([
        `this user may not listen on ${where}; set ${variables}_PORT to a port above 1023`,
      ]);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new InvalidSettings([
        `${where} is not an address of this machine; set ${variables}_HOST to one that is`,
      ]);
    default:
      return error;
  }
}
