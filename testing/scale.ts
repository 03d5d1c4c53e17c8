const isLong = process.env.ROSTER_TEST_LONG === 'true';

/** Chooses the size of a test: the first in `npm test`, the second in `npm run test:long`. */
export function scale<Size>(short: Size, long: Size): Size {
  return isLong ? long : short;
}

/** For a test that only `npm run test:long` has: `longOnly(it)('…', …)`. */
export function longOnly<It extends (...given: never[]) => unknown>(it: It): It {
  return isLong ? it : without();
}

/** For a test that the long run would only repeat: `shortOnly(it)('…', …)`, `shortOnly(it.each(cases))('…', …)`. */
export function shortOnly<It extends (...given: never[]) => unknown>(it: It): It {
  return isLong ? without() : it;
}

/** Registers nothing: with `CI=true`, a skipped test is a failure. */
function without<It>(): It {
  return (() => undefined) as It;
}
