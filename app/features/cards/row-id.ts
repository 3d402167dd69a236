/** Tells a new row of a form from the others. Unlike crypto.randomUUID, this is there without https as well. */
export function newRowId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("-");
}
