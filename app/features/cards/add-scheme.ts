import { withScheme } from "#app/features/links/rules.ts";

/** For the blur of a field that holds an address: "example.com" becomes "https://example.com", as if that had been typed. */
export function addScheme({ currentTarget: input }: React.FocusEvent<HTMLInputElement>) {
  const address = withScheme(input.value);
  if (address === input.value) return;
  input.value = address;
  // So that the form hears of it.
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
