/** A validated list request. Filters combine with AND, items of a list with OR. */
export interface ListQuery {
  /** May name a resource more than once; it is listed once. */
  readonly resourceIds: readonly string[] | undefined;
  /** Accepted type keys, possibly repeated; an empty list matches nothing. */
  readonly types: readonly string[] | undefined;
  readonly product: string | undefined;
  readonly displayNamePrefix: string | undefined;
  readonly alertableOnly: boolean;
  /** `null` for the whole list in one answer. */
  readonly page: PageRequest | null;
}

export interface PageRequest {
  readonly offset: number;
  readonly size: number;
}

/** All resources. */
export const everything: ListQuery = {
  resourceIds: undefined,
  types: undefined,
  product: undefined,
  displayNamePrefix: undefined,
  alertableOnly: false,
  page: null,
};
