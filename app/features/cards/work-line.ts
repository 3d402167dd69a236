/** "Product designer · 8 years"; "8 years of experience" where the years stand alone. */
export function workLine(card: { profession: string | null; yearsExperience: number | null }): string {
  const { profession, yearsExperience: years } = card;
  if (years === null) return profession ?? "";
  const time = years === 1 ? "1 year" : `${years} years`;
  return profession ? `${profession} · ${time}` : `${time} of experience`;
}
