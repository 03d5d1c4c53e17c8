import type { Static } from 'typebox';
import type * as access from './access.ts';
import type { ProblemSchema } from './problem.ts';
import type * as resources from './resource.ts';
import type * as sources from './source.ts';
import type * as stations from './station.ts';
import type * as views from './view.ts';

/** The types of the roster API, by their names in the OpenAPI document. */
export interface WireTypes {
  readonly Record: Static<typeof resources.RecordSchema>;
  readonly SearchPage: Static<typeof resources.SearchPageSchema>;
  readonly EverywherePage: Static<typeof resources.EverywherePageSchema>;
  readonly StoredResource: Static<typeof resources.StoredResourceSchema>;
  readonly WriteResult: Static<typeof resources.WriteResultSchema>;
  readonly Plan: Static<typeof resources.PlanSchema>;
  readonly HistoryPage: Static<typeof resources.HistoryPageSchema>;
  readonly Station: Static<typeof stations.StationSchema>;
  readonly StationPage: Static<typeof stations.StationPageSchema>;
  readonly Summary: Static<typeof stations.SummarySchema>;
  readonly Trends: Static<typeof stations.TrendsSchema>;
  readonly TrendPoint: Static<typeof stations.TrendPointSchema>;
  readonly ResourceType: Static<typeof stations.ResourceTypeSchema>;
  readonly PutType: Static<typeof stations.PutTypeSchema>;
  readonly SavedView: Static<typeof views.SavedViewSchema>;
  readonly SavedViewPage: Static<typeof views.SavedViewPageSchema>;
  readonly Source: Static<typeof sources.SourceSchema>;
  readonly UnmatchedAlert: Static<typeof sources.UnmatchedAlertSchema>;
  readonly Alert: Static<typeof sources.AlertSchema>;
  readonly Token: Static<typeof access.TokenSchema>;
  readonly NewToken: Static<typeof access.NewTokenSchema>;
  readonly CreatedToken: Static<typeof access.CreatedTokenSchema>;
  readonly Revocation: Static<typeof access.RevocationSchema>;
  readonly Session: Static<typeof access.SessionSchema>;
  readonly Problem: Static<typeof ProblemSchema>;
}
