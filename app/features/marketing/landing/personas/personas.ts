import { plans } from "#app/features/billing/rules.ts";

import booking from "../images/booking.avif";
import code from "../images/code.avif";
import freelancer from "../images/freelancer.avif";
import logo from "../images/logo.avif";
import meeting from "../images/meeting.avif";
import offline from "../images/offline.avif";
import recruiter from "../images/recruiter.avif";
import resume from "../images/resume.avif";
import sales from "../images/sales.avif";
import saved from "../images/saved.avif";
import schedule from "../images/schedule.avif";
import signature from "../images/signature.avif";
import tabs from "../images/tabs.avif";
import tag from "../images/tag.avif";
import themes from "../images/themes.avif";

/** A group of users. `image`: a phone, 600 by 1200; the features' images have the proportions of a card. */
export type Persona = {
  /** Also its fragment: `/#recruiters` opens it. */
  id: string;
  name: string;
  title: string;
  story: string;
  image: string;
  features: PersonaFeature[];
};

export type PersonaFeature = { title: string; text: string; image: string };

/** Addressed to the reader: no quotes, and no claim that can't be tried today. */
export const personas: Persona[] = [
  {
    id: "freelancers",
    name: "Freelancers",
    title: "You bill by project. Your card keeps up.",
    story:
      "What you show changes with every client. Change it once: whoever has your link, code or paper sees the new page.",
    image: freelancer,
    features: [
      {
        title: "Work here, life there",
        text: `${plans.free.maxLinks} links on two tabs. Clients arrive at Professional, your playlist waits on Personal.`,
        image: tabs,
      },
      {
        title: "A call, one tap away",
        text: "A link on your card leads straight to Cal.com, Calendly or any other booking page.",
        image: booking,
      },
      {
        title: "Your resume beside it",
        text: "A PDF or Word file on your page, to open or take along.",
        image: resume,
      },
      {
        title: "A look of your own",
        text: `${plans.free.themes.length} themes on Free, ${plans.premium.themes.length} in all. Your name can be read in every one.`,
        image: themes,
      },
    ],
  },
  {
    id: "recruiters",
    name: "Recruiters",
    title: "You meet more people than you can write down.",
    story: "Let them write you down. They scan, save you with one tap, and find your open roles on the way home.",
    image: recruiter,
    features: [
      {
        title: "A code in your colour",
        text: "The seal or your face in the middle. A colour too pale to scan is refused.",
        image: code,
      },
      {
        title: "In their address book",
        text: "Save Contact puts your name, number and face into their phone, iPhone or Android.",
        image: saved,
      },
      {
        title: "Roles that close in time",
        text: "Give a link its first and last hour. Then it goes by itself.",
        image: schedule,
      },
      {
        title: "Under every mail",
        text: "A signature with your code, to paste into Gmail, Outlook or Apple Mail.",
        image: signature,
      },
    ],
  },
  {
    id: "sales-teams",
    name: "Sales Teams",
    title: "You are in the room, on the call, in their inbox.",
    story: "All three hand over the same card. Everyone on the team keeps their own, with the company's mark on it.",
    image: sales,
    features: [
      {
        title: "Your company's mark",
        text: "A logo on the card, on screen and in print.",
        image: logo,
      },
      {
        title: "Hold out a tag",
        text: "Your address on an NFC sticker, written from Chrome on Android or any app for tags.",
        image: tag,
      },
      {
        title: "Behind you on every call",
        text: "A background for Zoom, Teams and Meet. They scan your card off the screen.",
        image: meeting,
      },
      {
        title: "No signal in the hall",
        text: "A code that holds the contact itself, for when neither phone has a network.",
        image: offline,
      },
    ],
  },
];
