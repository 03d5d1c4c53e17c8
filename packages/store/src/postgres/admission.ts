import type { ClientBase } from 'pg';
import { inspectServer, requireUsable, type ServerState } from './inspect-server.ts';
import type { KnownStations } from './known-stations.ts';
import { renewLineage, renewLostEpochs } from './renew-epochs.ts';

interface AdmissionParts {
  readonly server: string;
  readonly known: KnownStations;
  /** A store that only reads gives no new epochs. */
  readonly readOnly: boolean;
}

/**
 * Lets no connection be used before its server is known to hold the history that this node has seen. That is
 * looked at again whenever the server was started anew, which a restore and a failover cannot do without.
 */
export class Admission {
  readonly #parts: AdmissionParts;
  #server: string | undefined;
  #recognising: Promise<void> | undefined;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  async admit(client: ClientBase): Promise<void> {
    const state = await inspectServer(client);
    requireUsable(state, this.#parts.server);
    if (this.#parts.readOnly) return;
    while (this.#server !== identityOf(state)) {
      this.#recognising ??= this.#recognise(client, state).finally(() => {
        this.#recognising = undefined;
      });
      await this.#recognising;
    }
  }

  async #recognise(client: ClientBase, state: ServerState): Promise<void> {
    await renewLineage(client, state.lineage);
    await renewLostEpochs(client, this.#parts.known.all());
    this.#server = identityOf(state);
  }
}

function identityOf({ lineage, started_at }: ServerState): string {
  return `${lineage} ${started_at}`;
}
