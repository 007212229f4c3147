// The picture that a record shows small: the publisher's own thumbnail, else one of this server's, else the picture itself.
//
//   toRelatedRecord(post, thumbnailOf(deps, ask))
import type { Deps } from '../context.ts';
import type { ThumbnailOf } from '../posts/toPostRecord.ts';
import type { Ask } from './endpoint.ts';
import { addressOf } from './envelope.ts';

/** Addresses are absolute, on the origin that the links of an answer are on. */
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
