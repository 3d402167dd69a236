import type { Quote } from "#app/services/site-content.server.ts";

/** What the quotes look like while the operator has none: nobody's words, and nobody's name. */
export const sampleQuotes: Quote[] = [
  {
    quote: "Here stands what a freelancer says: how a client found the portfolio from the card, weeks after they met.",
    name: "Sample Freelancer",
    role: "Freelancer",
    rating: 5,
  },
  {
    quote:
      "Here stands what a recruiter says: what is quicker at a fair than a stack of paper, and what could be better.",
    name: "Sample Recruiter",
    role: "Recruiter",
    company: "Sample Company",
    rating: 4.5,
  },
  {
    quote: "Here stands what a sales team says: one design for all of them, and numbers that are never out of date.",
    name: "Sample Salesperson",
    role: "Sales team",
    company: "Sample Company",
    rating: 5,
  },
];
