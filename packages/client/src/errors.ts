/** What the client itself reports. A server that sends problem documents has codes of its own beside these. */
export type ClientErrorCode =
  | 'invalid_argument'
  | 'network_failure'
  | 'timeout'
  | 'aborted'
  | 'http_error'
  | 'malformed_answer'
  | 'incomplete_list';

/** The one error that the client throws on purpose. */
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
  /** What the server says is wrong, in its own words. */
  readonly detail: string;
  readonly parameter?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The server answered, and refused. */
export class HttpError extends RosterClientError {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly detail: string;
  /** The request parameter or header at fault, where the server names one. */
  readonly parameter: string | undefined;
  /** What finds this request in the log of the server. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait. */
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
