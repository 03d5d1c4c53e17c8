/** Fixed limits of the wire interface. The configurable ones have their defaults here. */
export const limits = {
  defaultPageSize: 50,
  maxPageSize: 1000,
  maxListItems: 1000,
  defaultMaxUnpaged: 100_000,
  maxIdLength: 512,
  maxNameLength: 1024,
  maxTokenLength: 256,
  maxTextLength: 1024,
  maxAddressPartLength: 256,
  maxReportedFaults: 100,
} as const;
