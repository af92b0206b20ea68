#!/bin/sh
# variants.sh LIBRARY DIR OBJCOPY STRIP: the library as built, stripped, stripped beside its debug file, and without id.
set -eu
library=$1 dir=$2 objcopy=$3 strip=$4
mkdir -p "$dir/whole" "$dir/stripped" "$dir/debuglink/.debug" "$dir/noid" "$dir/noid/.debug"
cp "$library" "$dir/whole/sample.so"
"$strip" -o "$dir/stripped/sample.so" "$library"
"$objcopy" --remove-section=.note.gnu.build-id "$library" "$dir/noid/whole.so"
"$objcopy" --only-keep-debug "$dir/noid/whole.so" "$dir/noid/.debug/sample.debug"
(cd "$dir/noid/.debug" && "$objcopy" --strip-all --add-gnu-debuglink=sample.debug ../whole.so ../sample.so)
"$objcopy" --only-keep-debug "$library" "$dir/debuglink/.debug/sample.debug"
(cd "$dir/debuglink/.debug" && "$objcopy" --strip-all --add-gnu-debuglink=sample.debug "$library" ../sample.so)
touch "$dir/debuglink/.debug/sample.debug"
