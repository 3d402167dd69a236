/** What a person is told whose file is not taken, and the HTTP status that says the same to programs. */
export type Refusal = { kind: "refused"; status: RefusalStatus; message: string };

/** 401 the account was deleted, 404 no such card, 409 another one is under way, 413 too large, 415 not of a kind that is taken, 422 broken, 503 busy, 507 no room. */
export type RefusalStatus = 400 | 401 | 404 | 409 | 413 | 415 | 422 | 503 | 507;

export function refuse(status: RefusalStatus, message: string): Refusal {
  return { kind: "refused", status, message };
}
