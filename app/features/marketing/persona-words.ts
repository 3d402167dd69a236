import { plans } from "#app/features/billing/rules.ts";

import booking from "./pictures/booking.avif";
import code from "./pictures/code.avif";
import freelancer from "./pictures/freelancer.avif";
import logo from "./pictures/logo.avif";
import meeting from "./pictures/meeting.avif";
import offline from "./pictures/offline.avif";
import recruiter from "./pictures/recruiter.avif";
import resume from "./pictures/resume.avif";
import sales from "./pictures/sales.avif";
import saved from "./pictures/saved.avif";
import schedule from "./pictures/schedule.avif";
import signature from "./pictures/signature.avif";
import tabs from "./pictures/tabs.avif";
import tag from "./pictures/tag.avif";
import themes from "./pictures/themes.avif";

/** Somebody that Meishi is for. `picture` is 600 by 1200, of a phone; those of the features have the proportions of a card. */
export type Persona = {
  /** Also where in the page it is: `/#recruiters` opens it. */
  id: string;
  name: string;
  title: string;
  story: string;
  picture: string;
  features: Feature[];
};

export type Feature = { title: string; text: string; picture: string };

/** To their reader: nobody is quoted, and nothing is claimed that can't be tried today. */
export const personas: Persona[] = [
  {
    id: "freelancers",
    name: "Freelancers",
    title: "You bill by project. Your card keeps up.",
    story:
      "What you show changes with every client. Change it once: whoever has your link, code or paper sees the new page.",
    picture: freelancer,
    features: [
      {
        title: "Work here, life there",
        text: `${plans.free.maxLinks} links on two tabs. Clients arrive at Professional, your playlist waits on Personal.`,
        picture: tabs,
      },
      {
        title: "A call, one tap away",
        text: "A link on your card leads straight to Cal.com, Calendly or any other booking page.",
        picture: booking,
      },
      {
        title: "Your resume beside it",
        text: "A PDF or Word file on your page, to open or take along.",
        picture: resume,
      },
      {
        title: "A look of your own",
        text: `${plans.free.themes.length} themes on Free, ${plans.premium.themes.length} in all. Your name can be read in every one.`,
        picture: themes,
      },
    ],
  },
  {
    id: "recruiters",
    name: "Recruiters",
    title: "You meet more people than you can write down.",
    story: "Let them write you down. They scan, save you with one tap, and find your open roles on the way home.",
    picture: recruiter,
    features: [
      {
        title: "A code in your colour",
        text: "The seal or your face in the middle. A colour too pale to scan is refused.",
        picture: code,
      },
      {
        title: "In their address book",
        text: "Save Contact puts your name, number and face into their phone, iPhone or Android.",
        picture: saved,
      },
      {
        title: "Roles that close in time",
        text: "Give a link its first and last hour. Then it goes by itself.",
        picture: schedule,
      },
      {
        title: "Under every mail",
        text: "A signature with your code, to paste into Gmail, Outlook or Apple Mail.",
        picture: signature,
      },
    ],
  },
  {
    id: "sales-teams",
    name: "Sales Teams",
    title: "You are in the room, on the call, in their inbox.",
    story: "All three hand over the same card. Everyone on the team keeps their own, with the company's mark on it.",
    picture: sales,
    features: [
      {
        title: "Your company's mark",
        text: "A logo on the card, on screen and in print.",
        picture: logo,
      },
      {
        title: "Hold out a tag",
        text: "Your address on an NFC sticker, written from Chrome on Android or any app for tags.",
        picture: tag,
      },
      {
        title: "Behind you on every call",
        text: "A background for Zoom, Teams and Meet. They scan your card off the screen.",
        picture: meeting,
      },
      {
        title: "No signal in the hall",
        text: "A code that holds the contact itself, for when neither phone has a network.",
        picture: offline,
      },
    ],
  },
];
