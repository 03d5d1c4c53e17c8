import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../testing/temporary-directory.ts';

/** Targets of Prometheus that come and go: all are one exporter, told apart by a label. */
export class ScrapedHosts {
  readonly #address: string;
  readonly #directory = temporaryDirectory();

  constructor(address: string) {
    this.#address = address;
  }

  /** For `scrape_configs`. */
  get job(): object {
    return {
      job_name: 'node',
      file_sd_configs: [{ files: [join(this.#directory, 'hosts.json')], refresh_interval: '1s' }],
    };
  }

  /** Prometheus watches the file. */
  set(...hosts: string[]): void {
    const groups = hosts.map((host) => ({
      targets: [this.#address],
      labels: { host, rack: `r-${host}` },
    }));
    writeFileSync(join(this.#directory, 'new'), JSON.stringify(groups));
    renameSync(join(this.#directory, 'new'), join(this.#directory, 'hosts.json'));
  }
}
