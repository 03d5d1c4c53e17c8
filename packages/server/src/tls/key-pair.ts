import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { quote } from '@roster/contract';

/** The files of a certificate chain and its key, both PEM. */
export interface KeyPairFiles {
  readonly cert: string;
  readonly key: string;
}

/** The text of both files. */
export type KeyPair = KeyPairFiles;

/** Says which of the two files is wrong, and how. */
export class InvalidKeyPair extends Error {
  override readonly name = 'InvalidKeyPair';
  readonly file: keyof KeyPairFiles;

  constructor(file: keyof KeyPairFiles, complaint: string) {
    super(complaint);
    this.file = file;
  }
}

export function readKeyPair(files: KeyPairFiles): KeyPair {
  return { cert: readPart(files, 'cert'), key: readPart(files, 'key') };
}

/** Throws `InvalidKeyPair` unless the two can serve TLS. */
export function checkKeyPair({ cert, key }: KeyPair): X509Certificate {
  const certificate = parsed('cert', 'has no certificate in PEM form', () => new X509Certificate(cert));
  const privateKey = parsed('key', 'has no private key in PEM form, or an encrypted one', () =>
    createPrivateKey({ key, passphrase: '' }),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new InvalidKeyPair('key', 'does not fit the certificate, the first one in tls.cert');
  }
  parsed('cert', 'cannot be used', () => createSecureContext({ cert, key }));
  return certificate;
}

function readPart(files: KeyPairFiles, part: keyof KeyPairFiles): string {
  try {
    return readFileSync(files[part], 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidKeyPair(part, `names ${quote(files[part])}, which cannot be read (${code})`);
  }
}

function parsed<T>(part: keyof KeyPairFiles, complaint: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new InvalidKeyPair(part, complaint);
  }
}
