import { type Static, Type } from 'typebox';
import { errorCodes } from '../errors.ts';

export const HealthSchema = Type.Object({ status: Type.String() }, { additionalProperties: false });

const RecordErrorSchema = Type.Object({
  line: Type.Integer({ minimum: 1, description: 'Line of the body.' }),
  column: Type.Optional(Type.Integer({ minimum: 1, description: 'Character of the line, if known.' })),
  field: Type.Optional(Type.String()),
  reason: Type.String(),
});

export const ProblemSchema = Type.Object({
  type: Type.String({ format: 'uri-reference' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String({ enum: [...errorCodes] }),
  request_id: Type.String(),
  parameter: Type.Optional(Type.String({ description: 'The parameter or header at fault.' })),
  total: Type.Optional(Type.Integer({ description: 'With paging_required: how many resources match.' })),
  outcome: Type.Optional(
    Type.String({ description: 'With store_unavailable: `unknown` if the write may have succeeded.' }),
  ),
  faults: Type.Optional(
    Type.Array(Type.Union([RecordErrorSchema, Type.String()]), {
      description:
        'With invalid_records: the first errors in line order. With the invalid_body of a type, view or token: its errors as texts.',
    }),
  ),
  fault_count: Type.Optional(
    Type.Integer({ description: 'With invalid_records: how many errors were found.' }),
  ),
  stopped_at_line: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'With invalid_records: the line of the last record read, if reading stopped after too many errors. Then `fault_count` is a lower bound.',
    }),
  ),
});

export type Problem = Static<typeof ProblemSchema>;
