// What `afterword import … --help` says of the lines of a file.
import { LEAST_DIMENSIONS, MOST_DIMENSIONS } from '../textindex/embeddings.ts';

export const VIEWS_HELP = `
Each line is one page view. Columns of the CSV's heading, or names of the JSON
object:
  url         the page (required)
  date        when: ISO 8601, UTC where no zone is named, or seconds since 1970
              (required)
  visitor     who: any text that differs between readers
  referrer    the page the reader came from
  user_agent  of the reader's browser, for the kind of device
  action      pageview when left out; also heartbeat, share, conversion, …
  seconds     read or watched, with heartbeats
Where there is no url, date or visitor, the usual names of published logs are
taken: item or item_id, time or timestamp, session, session_id or user_id;
--item-column, --time-column and --visitor-column name any other.
The file is text in UTF-8, or gzipped. Lines pass the same steps as live
traffic: foreign hosts and bots are left out, and counted. What afterword export
writes is understood whole.`;

export const POSTS_HELP = `
Each line is one post: the metadata object of POST /v2/metadata/posts, with
canonical_url, title, pub_date_tmsp, section, authors, tags, full_content and so
on. pub_date_tmsp is ISO 8601: 2026-03-20T08:30:00Z, with an offset such as
+01:00, or 2026-03-20. In a CSV, several urls, authors or tags stand with |
between. Posts that are known already are changed where the line says something.
What a line says stays, also where the page says something else; in what
afterword export posts writes, sent_fields names the fields that do, and the
others are read from the page again. gone says when its page was found gone: no
list shows such a post until its page is read again.`;

export const VECTORS_HELP = `
Each line is {"url": "https://…", "vector": [0.12, -0.4, …]}: a post, and what a
model of yours makes of its text. The texts are what afterword export posts
writes. All vectors of a site have the same length, ${LEAST_DIMENSIONS} to ${MOST_DIMENSIONS} numbers, of which
the direction is kept, a byte a number. Posts that are found by their words are
put in a better order by them, where both the post and the one being read have
one. A vector that comes before its post waits for it.`;
