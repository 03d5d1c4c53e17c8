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
  maxLocales: 50,
  maxReportedFaults: 100,
  /** Reading YAML stops there, since each of its records takes long. */
  maxFaultyYamlRecords: 10_000,
  /** In the catalog, once a body is written. */
  maxTypes: 10_000,
  /** In a station, once a body is written. */
  maxStates: 1000,
  /** In one body. */
  maxProducts: 1000,
  /** A body that is larger than this may have at most `maxExpansion` bytes for each one that was sent. */
  guardedDecodedBytes: 16 * 1024 * 1024,
  maxExpansion: 200,
  defaultPlannedChanges: 100,
  maxPlannedChanges: 10_000,
  defaultHistoryPage: 100,
  maxHistoryPage: 1000,
  /** A replace that removes more than half of a station larger than this, or all of any, must say so. */
  guardedStationSize: 20,
  /** Of what someone signs in with: browsers keep no cookie of more than 4096 bytes. */
  maxCredentialLength: 4000,
  maxTokenNameLength: 200,
  maxScopes: 100,
  /** On all nodes together. */
  maxTokens: 10_000,
  /** Of a token that is made without saying how long it shall live. */
  defaultTokenLifeMs: 90 * 86_400_000,
  maxTokenLifeMs: 3650 * 86_400_000,
} as const;
