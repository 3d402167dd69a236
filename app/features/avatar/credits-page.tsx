import { siteHead } from "#app/features/shell/site-head.ts";
import { pageWidth } from "#app/features/shell/site-links.ts";
import { markSite } from "#app/services/context.ts";

import type { Route } from "./+types/credits-page.ts";
import { avatarAddress } from "./address.ts";
import { credits, mitLicence, programs } from "./credits.ts";
import { backgrounds, defaultOptions } from "./rules.ts";

export function loader({ context }: Route.LoaderArgs) {
  markSite(context);
  return null;
}

export function meta(asked: Route.MetaArgs) {
  const description = "Whose drawings, letters and programs Meishi is made with, and their licences.";
  return siteHead(asked, { title: "Credits | Meishi", description });
}

/** Whose work this is made with. The faces' licence asks for it, where people can see it. */
export default function CreditsPage() {
  return (
    // Where the pages to read have their text, beside their lists of chapters.
    <div className={`${pageWidth} pt-10 sm:pt-16 lg:ps-77`}>
      <div className="max-w-[46rem]">
        <h1 className="heading text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">Credits</h1>
        <p className="mt-4 text-muted">Meishi is made with other people's work. Thank you to all of them.</p>
        <Faces />
        <ul>
          {credits.map(({ name, by, home, licence, terms, note }) => (
            <li key={name} className="border-t border-line py-6">
              <h2 className="heading text-lg">
                <a className="no-underline hover:underline" href={home}>
                  {name}
                </a>
              </h2>
              <p className="mt-1">
                by {by}, licensed under{" "}
                <a className={link} href={terms} rel="license">
                  {licence}
                </a>
              </p>
              <p className="mt-1 text-sm text-muted">{note}</p>
            </li>
          ))}
        </ul>
        <Programs />
      </div>
    </div>
  );
}

function Faces() {
  return (
    <div className="mt-8 mb-10 flex gap-2.5 sm:gap-4" aria-hidden="true">
      {["Ada", "Grace", "Hedy", "Katherine", "Alan"].map((seed, index) => (
        <img
          key={seed}
          className="min-w-0 flex-1 rounded-full"
          src={avatarAddress({ ...defaultOptions(seed), backgroundColor: [backgrounds[index] ?? ""] }, "svg")}
          width={128}
          height={128}
          alt=""
        />
      ))}
    </div>
  );
}

function Programs() {
  return (
    <section aria-labelledby="programs" className="border-t border-line pt-6">
      <h2 id="programs" className="heading text-lg">
        Programs
      </h2>
      <ul className="mt-3 grid gap-x-10 sm:grid-cols-2">
        {programs.map(({ name, home, copyright, licence }) => (
          <li key={name} className="border-t border-line py-3 first:border-t-0 sm:nth-2:border-t-0">
            <a className={link} href={home}>
              {name}
            </a>{" "}
            <span className="text-sm text-muted">{licence}</span>
            <p className="text-sm text-muted">© {copyright}</p>
          </li>
        ))}
      </ul>
      <details className="mt-4">
        <summary className="inline-flex min-h-11 items-center font-medium underline underline-offset-4">
          The MIT licence
        </summary>
        {mitLicence.map((paragraph) => (
          <p key={paragraph} className="mt-3 text-sm text-muted">
            {paragraph}
          </p>
        ))}
      </details>
    </section>
  );
}

const link = "inline-flex min-h-6 items-center underline underline-offset-4";
