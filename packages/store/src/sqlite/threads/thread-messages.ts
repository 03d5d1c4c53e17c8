import { type ErrorCode, RosterError } from '@roster/contract';

export type Requests = Record<string, { input: unknown; output: unknown }>;

export interface RequestMessage {
  readonly id: number;
  readonly kind: string;
  readonly input: unknown;
}

export type ReplyMessage =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: ErrorMessage };

interface ErrorMessage {
  readonly code: ErrorCode;
  readonly message: string;
  readonly parameter: string | undefined;
  readonly extensions: Record<string, unknown> | undefined;
  readonly cause: unknown;
}

/** Errors lose their class between threads, so a `RosterError` is sent as its fields. */
export function encodeError(error: RosterError): ErrorMessage {
  const { code, message, parameter, extensions, cause } = error;
  return { code, message, parameter, extensions, cause };
}

export function decodeError(error: ErrorMessage): RosterError {
  const { code, message, parameter, extensions, cause } = error;
  return new RosterError(code, message, {
    ...(parameter !== undefined && { parameter }),
    ...(extensions !== undefined && { extensions }),
    ...(cause !== undefined && { cause }),
  });
}
