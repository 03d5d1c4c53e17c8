export const exitCodes = {
  fine: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  unreachable: 5,
} as const;
