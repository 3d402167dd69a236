/** Work of others that one can see. `licence` links to its text. */
type Credit = { name: string; by: string; home: string; licence: string; terms: string; note: string };

export const credits: Credit[] = [
  {
    name: "Personas",
    by: "Draftbit",
    home: "https://personas.draftbit.com/",
    licence: "CC BY 4.0",
    terms: "https://creativecommons.org/licenses/by/4.0/",
    note: "The drawn faces are remixes of it: put together from its parts and coloured anew. Each drawing says so in itself.",
  },
  {
    name: "DiceBear",
    by: "Florian Körner",
    home: "https://www.dicebear.com/",
    licence: "MIT",
    terms: "https://github.com/dicebear/dicebear/blob/9.x/LICENSE",
    note: "Puts a face together from a seed, in your browser and on this server.",
  },
  {
    name: "Shippori Mincho",
    by: "The Shippori Mincho Project Authors",
    home: "https://github.com/fontdasu/ShipporiMincho",
    licence: "SIL Open Font License 1.1",
    terms: "https://openfontlicense.org/",
    note: "The letters of names and headings.",
  },
  {
    name: "Instrument Sans",
    by: "The Instrument Sans Project Authors",
    home: "https://github.com/Instrument/instrument-sans",
    licence: "SIL Open Font License 1.1",
    terms: "https://openfontlicense.org/",
    note: "All other letters.",
  },
  {
    name: "Simple Icons",
    by: "its contributors",
    home: "https://simpleicons.org/",
    licence: "CC0 1.0",
    terms: "https://creativecommons.org/publicdomain/zero/1.0/",
    note: "The signs of networks beside links. The marks belong to their owners, who have nothing to do with this site.",
  },
];

/** Programs whose code is sent to browsers or that do much of the server's work. */
export const programs: { name: string; home: string; copyright: string; licence: string }[] = [
  { name: "React", home: "https://react.dev/", copyright: "Meta Platforms, Inc. and affiliates", licence: "MIT" },
  {
    name: "React Router",
    home: "https://reactrouter.com/",
    copyright: "React Training LLC, Remix Software Inc., Shopify Inc.",
    licence: "MIT",
  },
  {
    name: "React Image Crop",
    home: "https://github.com/dominictobias/react-image-crop",
    copyright: "Dominic Tobias",
    licence: "ISC",
  },
  { name: "Zod", home: "https://zod.dev/", copyright: "Colin McDonnell", licence: "MIT" },
  { name: "node-qrcode", home: "https://github.com/soldair/node-qrcode", copyright: "Ryan Day", licence: "MIT" },
  { name: "Hono", home: "https://hono.dev/", copyright: "Yusuke Wada and Hono contributors", licence: "MIT" },
  { name: "Kysely", home: "https://kysely.dev/", copyright: "Sami Koskimäki", licence: "MIT" },
  { name: "Better Auth", home: "https://www.better-auth.com/", copyright: "Bereket Engida", licence: "MIT" },
  {
    name: "PDFKit and fontkit",
    home: "https://pdfkit.org/",
    copyright: "Devon Govett",
    licence: "MIT",
  },
  { name: "sharp", home: "https://sharp.pixelplumbing.com/", copyright: "Lovell Fuller", licence: "Apache 2.0" },
  {
    name: "libvips",
    home: "https://www.libvips.org/",
    copyright: "John Cupitt and the libvips contributors",
    licence: "LGPL 3.0",
  },
  {
    name: "resvg",
    home: "https://github.com/thx/resvg-js",
    copyright: "the resvg and resvg-js authors",
    licence: "MPL 2.0",
  },
  { name: "ical.js", home: "https://github.com/kewisch/ical.js", copyright: "Philipp Kewisch", licence: "MPL 2.0" },
];

/** What the MIT licence asks to be handed on with each copy. */
export const mitLicence = [
  'Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:',
  "The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.",
  'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.',
];
