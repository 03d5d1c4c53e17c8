import * as contract from '@roster/contract';
import { expect, it } from 'vitest';
import type * as client from './index.ts';
import { orderFields } from './index.ts';

type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Plain<T[Name]> }
    : T;
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

type Wire = contract.WireTypes;
type Item<T extends { changes: unknown }> = T['changes'] extends readonly (infer Each)[] ? Each : never;

/** What the types say is checked when they are compiled, with `npm run check`. */
const isSame: {
  Resource: Same<client.Resource, contract.ListedResource>;
  Page: Same<client.Page, contract.Page>;
  ListResponse: Same<client.ListResponse, contract.ListResponse>;
  StationAddress: Same<client.StationAddress, contract.StationAddress>;
  RecordView: Same<client.RecordView, contract.RecordView>;
  ChangeView: Same<client.ChangeView, contract.ChangeView>;
  ExportFormat: Same<client.ExportFormat, contract.ExportFormat>;
  ResourceRecord: Same<client.ResourceRecord, Wire['Record']>;
  RecordError: Same<client.RecordError, Exclude<NonNullable<Wire['Problem']['faults']>[number], string>>;
  SearchPage: Same<client.SearchPage, Wire['SearchPage']>;
  EverywherePage: Same<client.EverywherePage, Wire['EverywherePage']>;
  StoredResource: Same<client.StoredResource, Wire['StoredResource']>;
  WriteResult: Same<client.WriteResult, Wire['WriteResult']>;
  Plan: Same<client.Plan, Wire['Plan']>;
  PlannedChange: Same<client.PlannedChange, Item<Wire['Plan']>>;
  HistoryPage: Same<client.HistoryPage, Wire['HistoryPage']>;
  PastChange: Same<client.PastChange, Item<Wire['HistoryPage']>>;
  Station: Same<client.Station, Wire['Station']>;
  StationPage: Same<client.StationPage, Wire['StationPage']>;
  Summary: Same<client.Summary, Wire['Summary']>;
  Trends: Same<client.Trends, Wire['Trends']>;
  TrendPoint: Same<client.TrendPoint, Wire['TrendPoint']>;
  ResourceType: Same<client.ResourceType, Wire['ResourceType']>;
  PutType: Same<client.PutType, Wire['PutType']>;
  SavedView: Same<client.SavedView, Wire['SavedView']>;
  SavedViewPage: Same<client.SavedViewPage, Wire['SavedViewPage']>;
  Source: Same<client.Source, Wire['Source']>;
  UnmatchedAlert: Same<client.UnmatchedAlert, Wire['UnmatchedAlert']>;
  Alert: Same<client.Alert, Wire['Alert']>;
  Token: Same<client.Token, Wire['Token']>;
  NewToken: Same<client.NewToken, Wire['NewToken']>;
  CreatedToken: Same<client.CreatedToken, Wire['CreatedToken']>;
  Revocation: Same<client.Revocation, Wire['Revocation']>;
  Session: Same<client.Session, Wire['Session']>;
} = {
  Resource: true,
  Page: true,
  ListResponse: true,
  StationAddress: true,
  RecordView: true,
  ChangeView: true,
  ExportFormat: true,
  ResourceRecord: true,
  RecordError: true,
  SearchPage: true,
  EverywherePage: true,
  StoredResource: true,
  WriteResult: true,
  Plan: true,
  PlannedChange: true,
  HistoryPage: true,
  PastChange: true,
  Station: true,
  StationPage: true,
  Summary: true,
  Trends: true,
  TrendPoint: true,
  ResourceType: true,
  PutType: true,
  SavedView: true,
  SavedViewPage: true,
  Source: true,
  UnmatchedAlert: true,
  Alert: true,
  Token: true,
  NewToken: true,
  CreatedToken: true,
  Revocation: true,
  Session: true,
};

it('knows the orders of a search', () => {
  expect(orderFields).toEqual(contract.orderFields);
});

it('the types of the client are those of the contract', () => {
  expect(Object.values(isSame)).not.toContain(false);
});
