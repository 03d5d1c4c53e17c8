import { describe, expect, it } from 'vitest';
import { busyMs } from '../../../../testing/busy-ms.ts';
import { makeTokenText } from '../access/token-text.ts';
import { hideSecrets } from './hide-secrets.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLWl0';

describe('text that is told or kept', () => {
  it('has no tokens and no JWTs, wherever they stood', () => {
    for (const secret of [jwt, `${jwt}.more.parts`, `eyJ.${jwt}`, 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.']) {
      for (const before of ['', '"', '=', ' ', '-', '_', '.', '%20', '%3D']) {
        expect(hideSecrets(`a${before} ${before}${secret}" b`)).toBe(`a${before} ${before}[hidden]" b`);
      }
    }
    const token = makeTokenText();
    expect(hideSecrets(`?t=${token}&u=${token.replace('_', '%5F')}`)).toBe(
      '?t=roster_[hidden]&u=roster%5F[hidden]',
    );
  });

  it('is left as it is otherwise', () => {
    for (const text of [
      '',
      'eyJ',
      'eyJoy.example',
      'monkeyJar.prometheus.example.com',
      'eyJ.a.b',
      'roster_db',
    ])
      expect(hideSecrets(text)).toBe(text);
  });

  it('is not searched for longer than it takes to read it, whatever someone sent', () => {
    const hostile = [
      '-eyJ',
      '.eyJ',
      'eyJ',
      '_eyJ.',
      '-eyJaaaaaaaa.',
      'roster_',
      'rosterA',
      'roster%5f',
      'eyJ"',
      '.',
      '-',
    ];
    for (const piece of hostile) {
      const text = `eyJroster ${piece.repeat((1024 * 1024) / piece.length)}`;
      expect(
        busyMs(() => hideSecrets(text)),
        piece,
      ).toBeLessThan(2_000);
    }
  });
});
