import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

/** Signs certificates with the program `openssl`. */
export class CertificateAuthority implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 'roster-authority-'));

  constructor() {
    this.#openssl(['-x509', ...newKey, '-subj', '/CN=Roster test authority', ...this.#output('ca')]);
  }

  /** The file that has to be trusted. */
  get file(): string {
    return join(this.#directory, 'ca.pem');
  }

  /** `names` as in `DNS:localhost,IP:127.0.0.1`. */
  sign(names: string): Certificate {
    const authority = ['-CA', this.file, '-CAkey', join(this.#directory, 'ca.key')];
    const extensions = ['-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=CA:FALSE'];
    this.#openssl([
      ...['-x509', ...newKey, '-subj', '/CN=signed', ...authority, ...extensions],
      ...this.#output('signed'),
    ]);
    return { certificate: this.#read('signed.pem'), key: this.#read('signed.key') };
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #openssl(words: readonly string[]): void {
    execFileSync('openssl', ['req', ...words], { stdio: 'pipe' });
  }

  #output(name: string): string[] {
    return ['-out', join(this.#directory, `${name}.pem`), '-keyout', join(this.#directory, `${name}.key`)];
  }

  #read(name: string): string {
    return readFileSync(join(this.#directory, name), 'utf8');
  }
}
