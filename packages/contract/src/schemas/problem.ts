import { type Static, Type } from 'typebox';
import { errorCodes } from '../errors.ts';

export const HealthSchema = Type.Object({ status: Type.String() }, { additionalProperties: false });

const FaultSchema = Type.Object({
  line: Type.Integer({ minimum: 1, description: 'Line of the body.' }),
  column: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Character of the line, where it is known.' }),
  ),
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
    Type.String({ description: 'With store_unavailable: `unknown` when the write may have been kept.' }),
  ),
  faults: Type.Optional(
    Type.Array(FaultSchema, { description: 'With invalid_records: the first faults in line order.' }),
  ),
  fault_count: Type.Optional(
    Type.Integer({ description: 'With invalid_records: how many faults were found.' }),
  ),
  stopped_at_line: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'With invalid_records: the line of the last record that was read, where there were so many faulty ones that the rest was not read. There are at least `fault_count` faults.',
    }),
  ),
});

export type Problem = Static<typeof ProblemSchema>;
