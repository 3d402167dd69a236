import { pageWidth } from "#app/features/shell/site-links.ts";

/** What it does today, each a fact that can be tried. */
export function Features() {
  return (
    <section id="features" aria-labelledby="features-title" className="scroll-mt-6 border-t border-line py-16 sm:py-24">
      <div className={pageWidth}>
        <h2 id="features-title" className="heading max-w-[42rem] text-xl sm:text-2xl">
          Everything a card should do, and nothing your visitor has to install
        </h2>
        <ul className="mt-10 grid gap-x-10 gap-y-9 sm:mt-14 sm:grid-cols-2 lg:grid-cols-3 lg:gap-y-14">
          {features.map(({ title, text }) => (
            <li key={title} className="border-t border-line-strong pt-5">
              <h3 className="heading text-lg">{title}</h3>
              <p className="mt-2 max-w-[23rem] text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const features = [
  {
    title: "One link",
    text: "Your profile and your card each have an address of their own. Send it anywhere; it opens in any browser.",
  },
  {
    title: "A code that lasts",
    text: "Show it on your phone or print it. When you change your handle, the old address still leads to you.",
  },
  {
    title: "A contact file",
    text: "Save Contact puts your name, phone and email into their address book, on iPhone and Android.",
  },
  {
    title: "Room for the rest",
    text: "Up to eight links on your profile, sorted into Professional and Personal.",
  },
  {
    title: "You decide what shows",
    text: "Make a card private, or switch a link off without losing it.",
  },
  {
    title: "Light in every way",
    text: "A card's page is at most 10 kB and loads nothing from anyone else. It opens on a bad connection.",
  },
];
