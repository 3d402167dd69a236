import { pageHead } from "#app/features/shell/page-head.ts";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { markSitePage } from "#app/services/http/context.ts";

import type { Route } from "./+types/credits-page.ts";
import { avatarUrl } from "./avatar-url.ts";
import { backgrounds, defaultOptions, friendlyMouths } from "./rules.ts";

export function loader({ context }: Route.LoaderArgs) {
  markSitePage(context);
  return null;
}

export function meta(asked: Route.MetaArgs) {
  const description = "The artwork, fonts and software that Meishi is built with, and their licenses.";
  return pageHead(asked, { title: "Credits | Meishi", description });
}

/** Attributions. The license of the avatar drawings requires them on a visible page. */
export default function CreditsPage() {
  return (
    <div className={`${pageWidthClass} pt-10 sm:pt-16`}>
      <div className="mx-auto max-w-[46rem]">
        <h1 className="heading text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">Credits</h1>
        <p className="mt-4 text-muted">Meishi is built on other people’s work. Thanks to all of them.</p>
        <SampleAvatars />
        <ul>
          {credits.map(({ name, by, home, license, terms, note }) => (
            <li key={name} className="border-t border-line py-6">
              <h2 className="heading text-lg">
                <a className="no-underline hover:underline" href={home}>
                  {name}
                </a>
              </h2>
              <p className="mt-1">
                by {by}, licensed under{" "}
                <a className={linkClass} href={terms} rel="license">
                  {license}
                </a>
              </p>
              <p className="mt-1 text-sm text-muted">{note}</p>
            </li>
          ))}
        </ul>
        <Software />
      </div>
    </div>
  );
}

function SampleAvatars() {
  return (
    <div className="mt-8 mb-10 flex gap-2.5 sm:gap-4" aria-hidden="true">
      {["Ada", "Grace", "Hedy", "Katherine", "Alan"].map((seed, index) => (
        <img
          key={seed}
          className="min-w-0 flex-1 rounded-full"
          src={avatarUrl(
            { ...defaultOptions(seed), mouth: [...friendlyMouths], backgroundColor: [backgrounds[index] ?? ""] },
            "svg",
          )}
          width={128}
          height={128}
          alt=""
        />
      ))}
    </div>
  );
}

function Software() {
  return (
    <section aria-labelledby="software" className="border-t border-line pt-6">
      <h2 id="software" className="heading text-lg">
        Software
      </h2>
      <ul className="mt-3 grid gap-x-10 sm:grid-cols-2">
        {programs.map(({ name, home, copyright, license }) => (
          <li key={name} className="border-t border-line py-3 first:border-t-0 sm:nth-2:border-t-0">
            <a className={linkClass} href={home}>
              {name}
            </a>{" "}
            <span className="text-sm text-muted">{license}</span>
            <p className="text-sm text-muted">© {copyright}</p>
          </li>
        ))}
      </ul>
      <details className="mt-4">
        <summary className="inline-flex min-h-11 items-center font-medium underline underline-offset-4">
          The MIT license
        </summary>
        {mitLicense.map((paragraph) => (
          <p key={paragraph} className="mt-3 text-sm text-muted">
            {paragraph}
          </p>
        ))}
      </details>
    </section>
  );
}

const linkClass = "inline-flex min-h-6 items-center underline underline-offset-4";

/** Visible work of others; `terms` is the URL of its license. */
type Credit = { name: string; by: string; home: string; license: string; terms: string; note: string };

const credits: Credit[] = [
  {
    name: "Personas",
    by: "Draftbit",
    home: "https://personas.draftbit.com/",
    license: "CC BY 4.0",
    terms: "https://creativecommons.org/licenses/by/4.0/",
    note: "The generated avatars are remixes, assembled from Personas parts with new colors. Each file includes this attribution.",
  },
  {
    name: "DiceBear",
    by: "Florian Körner",
    home: "https://www.dicebear.com/",
    license: "MIT",
    terms: "https://github.com/dicebear/dicebear/blob/9.x/LICENSE",
    note: "Assembles each avatar from a seed, in your browser and on this server.",
  },
  {
    name: "Shippori Mincho",
    by: "The Shippori Mincho Project Authors",
    home: "https://github.com/fontdasu/ShipporiMincho",
    license: "SIL Open Font License 1.1",
    terms: "https://openfontlicense.org/",
    note: "The font for names and headings.",
  },
  {
    name: "Instrument Sans",
    by: "The Instrument Sans Project Authors",
    home: "https://github.com/Instrument/instrument-sans",
    license: "SIL Open Font License 1.1",
    terms: "https://openfontlicense.org/",
    note: "The font for everything else.",
  },
  {
    name: "Noto",
    by: "the Noto Project Authors and Google",
    home: "https://fonts.google.com/noto",
    license: "SIL Open Font License 1.1",
    terms: "https://openfontlicense.org/",
    note: "The fonts for other scripts, symbols and emoji in generated images.",
  },
  {
    name: "Simple Icons",
    by: "its contributors",
    home: "https://simpleicons.org/",
    license: "CC0 1.0",
    terms: "https://creativecommons.org/publicdomain/zero/1.0/",
    note: "The brand icons next to links. The trademarks belong to their owners, who aren’t affiliated with this site.",
  },
];

/** Software whose code is sent to browsers, or that do much of the server's work. */
const programs: { name: string; home: string; copyright: string; license: string }[] = [
  { name: "React", home: "https://react.dev/", copyright: "Meta Platforms, Inc. and affiliates", license: "MIT" },
  {
    name: "React Router",
    home: "https://reactrouter.com/",
    copyright: "React Training LLC, Remix Software Inc., Shopify Inc.",
    license: "MIT",
  },
  {
    name: "React Image Crop",
    home: "https://github.com/dominictobias/react-image-crop",
    copyright: "Dominic Tobias",
    license: "ISC",
  },
  { name: "Zod", home: "https://zod.dev/", copyright: "Colin McDonnell", license: "MIT" },
  { name: "node-qrcode", home: "https://github.com/soldair/node-qrcode", copyright: "Ryan Day", license: "MIT" },
  { name: "Hono", home: "https://hono.dev/", copyright: "Yusuke Wada and Hono contributors", license: "MIT" },
  { name: "Kysely", home: "https://kysely.dev/", copyright: "Sami Koskimäki", license: "MIT" },
  { name: "Better Auth", home: "https://www.better-auth.com/", copyright: "Bereket Engida", license: "MIT" },
  {
    name: "PDFKit and fontkit",
    home: "https://pdfkit.org/",
    copyright: "Devon Govett",
    license: "MIT",
  },
  { name: "sharp", home: "https://sharp.pixelplumbing.com/", copyright: "Lovell Fuller", license: "Apache 2.0" },
  {
    name: "libvips",
    home: "https://www.libvips.org/",
    copyright: "John Cupitt and the libvips contributors",
    license: "LGPL 3.0",
  },
  {
    name: "resvg",
    home: "https://github.com/thx/resvg-js",
    copyright: "the resvg and resvg-js authors",
    license: "MPL 2.0",
  },
  { name: "ical.js", home: "https://github.com/kewisch/ical.js", copyright: "Philipp Kewisch", license: "MPL 2.0" },
];

/** The notice that the MIT license requires in each copy. */
const mitLicense = [
  'Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:',
  "The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.",
  'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.',
];
