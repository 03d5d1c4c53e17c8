import type * as contract from '@roster/contract';
import { expect, it } from 'vitest';
import type * as client from './index.ts';

type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Plain<T[Name]> }
    : T;
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

type Wire = contract.WireTypes;
type Item<T extends { changes: unknown }> = T['changes'] extends readonly (infer Each)[] ? Each : never;

/** The schemas know a change as any string, the types as one of three. */
type WithoutChange<T> = Omit<T, 'change'>;

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
  RecordFault: Same<client.RecordFault, NonNullable<Wire['Problem']['faults']>[number]>;
  StoredResource: Same<client.StoredResource, Wire['StoredResource']>;
  WriteResult: Same<client.WriteResult, Wire['WriteResult']>;
  Plan: Same<Omit<client.Plan, 'changes'>, Omit<Wire['Plan'], 'changes'>>;
  PlannedChange: Same<WithoutChange<client.PlannedChange>, WithoutChange<Item<Wire['Plan']>>>;
  HistoryPage: Same<Omit<client.HistoryPage, 'changes'>, Omit<Wire['HistoryPage'], 'changes'>>;
  PastChange: Same<WithoutChange<client.PastChange>, WithoutChange<Item<Wire['HistoryPage']>>>;
  Station: Same<client.Station, Wire['Station']>;
  StationPage: Same<client.StationPage, Wire['StationPage']>;
  Summary: Same<client.Summary, Wire['Summary']>;
  ResourceType: Same<client.ResourceType, Wire['ResourceType']>;
  PutType: Same<client.PutType, Wire['PutType']>;
} = {
  Resource: true,
  Page: true,
  ListResponse: true,
  StationAddress: true,
  RecordView: true,
  ChangeView: true,
  ExportFormat: true,
  ResourceRecord: true,
  RecordFault: true,
  StoredResource: true,
  WriteResult: true,
  Plan: true,
  PlannedChange: true,
  HistoryPage: true,
  PastChange: true,
  Station: true,
  StationPage: true,
  Summary: true,
  ResourceType: true,
  PutType: true,
};

it('the types of the client are those of the contract', () => {
  expect(Object.values(isSame)).not.toContain(false);
});
