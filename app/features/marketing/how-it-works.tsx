import { ButtonLink } from "#app/ui/button.tsx";

import { pageWidth } from "#app/features/shell/site-links.ts";

export function HowItWorks() {
  return (
    <section
      id="how-it-works"
      aria-labelledby="how-it-works-title"
      className="scroll-mt-6 border-t border-line pt-16 sm:pt-24"
    >
      <div className={pageWidth}>
        <h2 id="how-it-works-title" className="heading text-xl sm:text-2xl">
          How it works
        </h2>
        <ol className="mt-10 grid gap-5 sm:mt-14 lg:grid-cols-3">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="rounded-card border border-line bg-raised p-6.5">
              <span aria-hidden="true" className="heading text-2xl text-muted">
                {index + 1}
              </span>
              <h3 className="mt-4 text-[1.125rem] leading-7 font-semibold">{title}</h3>
              <p className="mt-1 text-muted">{text}</p>
            </li>
          ))}
        </ol>
        <div className="mt-16 flex flex-wrap items-center justify-between gap-x-10 gap-y-6 sm:mt-24">
          <p className="heading text-xl sm:text-2xl">Your first card is free.</p>
          <ButtonLink size="l" variant="main" href="/auth">
            Get Started — Free
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

const steps = [
  { title: "Create your card", text: "Your name, what you do and how to reach you. All in the browser." },
  {
    title: "Add your links",
    text: "Portfolio, code, booking, anything with an address. Change them whenever you like.",
  },
  {
    title: "Share it anywhere",
    text: "Send the link, show the code, let them save you to their contacts. What you change later, they see at once.",
  },
];
