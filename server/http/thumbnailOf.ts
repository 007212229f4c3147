// The thumbnail of a record: the publisher's own, else one of this server, else the original picture.
//
//   toRelatedRecord(post, thumbnailOf(deps, ask))
import type { Deps } from '../context.ts';
import type { ThumbnailOf } from '../posts/toPostRecord.ts';
import type { Ask } from './endpoint.ts';
import { addressOf } from './envelope.ts';

/** URLs are absolute, on the origin of the links of an answer. */
export function thumbnailOf(
  { thumbnails, settings }: Pick<Deps, 'thumbnails' | 'settings'>,
  { c, site }: Pick<Ask<unknown>, 'c' | 'site'>,
): ThumbnailOf {
  const { origin } = addressOf(c, settings);
  return ({ thumbUrl, imageUrl }) => {
    if (thumbUrl !== '' || imageUrl === '') return thumbUrl;
    const path = thumbnails?.pathOf(site.id, imageUrl);
    return path === undefined ? imageUrl : origin + path;
  };
}
