import { labelKeyError, quote } from '@roster/contract';
import { type ConfigValue, suggest } from './config-value.ts';
import { labelPrefix, type TieRule } from './source.ts';

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const fields = ['name', 'resource_id', 'display_name'];

export function readTie(given: ConfigValue): TieRule[] {
  return (given.items() ?? []).flatMap((item) => readRule(item) ?? []);
}

function readRule(given: ConfigValue): TieRule | undefined {
  const members = given.members(['label', 'labels', 'to', 'strip_port']);
  if (members === undefined) return undefined;
  const { label, labels, to, strip_port: stripPort } = members;
  if ((label === undefined) === (labels === undefined)) return given.refuse('needs either label or labels');
  if (to === undefined)
    return given.refuse('needs to: the field of the resource, such as name or label.hostname');
  const names = (labels === undefined ? [label!] : (labels.items() ?? [])).map(readLabel);
  const targets = (Array.isArray(to.value) ? (to.items() ?? []) : [to]).map(readField);
  if (names.includes(undefined) || targets.includes(undefined)) return undefined;
  if (names.length !== targets.length) {
    return given.refuse(
      `has ${names.length} labels for ${targets.length} fields; each label needs its field`,
    );
  }
  return {
    labels: names as string[],
    to: targets as string[],
    stripPort: stripPort?.boolean() ?? false,
  };
}

/** The name of a label of Prometheus. */
export function readLabel(given: ConfigValue): string | undefined {
  return given.text(labelName, 'the name of a label, such as instance');
}

function readField(given: ConfigValue): string | undefined {
  const { value } = given;
  if (typeof value === 'string' && value.startsWith(labelPrefix)) {
    const error = labelKeyError(value.slice(labelPrefix.length));
    return error === undefined ? value : given.refuse(`has a label key that ${error}, got ${quote(value)}`);
  }
  if (typeof value === 'string' && fields.includes(value)) return value;
  const known = [...fields, 'label.<key>'];
  return given.refuse(
    `must be a field of the resource, got ${quote(value)}${suggest(typeof value === 'string' ? value : '', known)}`,
  );
}
