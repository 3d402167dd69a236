/** Digits and consonants that can't be mistaken for each other (0/o, 1/l/i) and form no words. Typed capitals are accepted. */
export const codeAlphabet = "23456789bcdfghjkmnpqrstvwxz";

export const codeLength = 7;

/** The path of a card's page: "/c/h7k2m9x". A card without a code has only the address with its id. */
export function cardPath({ id, code }: { id: string; code: string }): string {
  return code ? `/c/${code}` : `/card/${id}`;
}
