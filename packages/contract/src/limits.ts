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
  /** Of one resource. */
  maxLabels: 32,
  /** Of the name and the value of a label. */
  maxLabelLength: 63,
  /** Of what stands before the slash in the key of a label. */
  maxLabelPrefixLength: 253,
  /** Of one facet, most frequent first. */
  maxFacetValues: 1000,
  maxFacets: 20,
  maxSearchTextLength: 200,
  maxAddressPartLength: 256,
  maxLocales: 50,
  maxReportedErrors: 100,
  /** A YAML body is read as one document. */
  maxYamlBytes: 4 * 1024 * 1024,
  /** Reading YAML stops after this many, because its records are slow to read. */
  maxInvalidYamlRecords: 10_000,
  /** In the catalog after a write. */
  maxTypes: 10_000,
  /** In a station after a write. */
  maxStates: 1000,
  /** In one body. */
  maxProducts: 1000,
  /** Above this size, a compressed body may expand at most `maxExpansion` times. */
  guardedDecodedBytes: 16 * 1024 * 1024,
  maxExpansion: 200,
  defaultPlannedChanges: 100,
  maxPlannedChanges: 10_000,
  defaultHistoryPage: 100,
  maxHistoryPage: 1000,
  /** Of one answer. */
  maxTrendPoints: 2000,
  /** Of all points together, one for each state and peak. */
  maxTrendFigures: 50_000,
  /** Above this size, a replace needs permission to remove more than half; below, to remove everything. */
  guardedStationSize: 20,
  /** Browsers drop cookies of more than 4096 bytes. */
  maxCredentialLength: 4000,
  maxTokenNameLength: 200,
  maxScopes: 100,
  /** Across all nodes. */
  maxTokens: 10_000,
  maxViewNameLength: 200,
  /** Of the stored search, percent-encoded. */
  maxViewQueryLength: 4000,
  /** The shared ones count as those of one owner. */
  maxViewsPerOwner: 200,
  /** Across all owners and nodes. */
  maxViews: 10_000,
  /** Lifetime of a token created without `expires_in`. */
  defaultTokenLifeMs: 90 * 86_400_000,
  maxTokenLifeMs: 3650 * 86_400_000,
} as const;
