/** Codes of the client itself. Servers with problem documents add their own. */
export type ClientErrorCode =
  | 'invalid_argument'
  | 'network_failure'
  | 'timeout'
  | 'aborted'
  | 'http_error'
  | 'malformed_answer'
  | 'incomplete_list';

/** The only error that the client throws on purpose. */
export class RosterClientError extends Error {
  override readonly name: string = 'RosterClientError';
  /** One of `ClientErrorCode`, or the code of the problem document that the server sent. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface HttpErrorDetails {
  readonly status: number;
  readonly code: string;
  /** The message of the server. */
  readonly detail: string;
  readonly parameter?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The server answered with an error. */
export class HttpError extends RosterClientError {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly detail: string;
  /** The request parameter or header at fault, where the server names one. */
  readonly parameter: string | undefined;
  /** Identifies this request in the server log. */
  readonly requestId: string | undefined;
  /** How long to wait, as the server asks. */
  readonly retryAfterMs: number | undefined;
  /** Further members of the problem document, such as `faults`. */
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(message: string, details: HttpErrorDetails) {
    super(details.code, message);
    this.status = details.status;
    this.detail = details.detail;
    this.parameter = details.parameter;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
    this.extensions = details.extensions ?? {};
  }
}

export function invalidArgument(message: string): RosterClientError {
  return new RosterClientError('invalid_argument', message);
}
