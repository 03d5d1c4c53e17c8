/** Seeds everything random in a test. Tests show it in their names; `ROSTER_TEST_SEED` repeats a run. */
export const seed = Number(process.env.ROSTER_TEST_SEED ?? Date.now() % 2 ** 31);
