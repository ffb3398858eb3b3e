"""What went wrong on the way to a URL, in words that name the cure, and no secret."""

from __future__ import annotations

import re

from assistant.sources.names import printable

#: Names, passwords and tokens in a URL, which no message shows.
_SECRET = re.compile(r"(?<=://)[^/@\s]*@|\?\S*")
_MOST = 300
#: Scheme to the package that speaks it.
_PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "abfs": "adlfs",
             "abfss": "adlfs", "az": "adlfs", "hdfs": "pyarrow", "webhdfs": "requests",
             "sftp": "paramiko", "ssh": "paramiko", "http": "aiohttp", "https": "aiohttp"}
_S3_KEYS = ("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_ENDPOINT_URL for a store "
            "that is not Amazon's), or FSSPEC_S3_ANON=true for a public bucket")
_KEYS = {"s3": _S3_KEYS, "s3a": _S3_KEYS,
         "gs": "set GOOGLE_APPLICATION_CREDENTIALS to the path of a key file",
         "abfs": "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY"}
_REFUSED = re.compile(
    r"forbidden|denied|access key|credential|signature|unauthori[sz]ed|\b40[13]\b", re.IGNORECASE)
_NO_HADOOP = re.compile(r"\blib(?:jvm|hdfs)\b")


def shown(url: str) -> str:
    """A URL without the password that it may hold."""
    return printable(_SECRET.sub("", url))


def missing_package(url: str, error: ImportError) -> str:
    """That a package is not installed, as the end of a sentence that begins with the URL."""
    package = _PACKAGES.get(_scheme(url))
    text = _plain(error)
    return text if package is None else f"{text} (pip install {package})"


def reason(error: Exception, url: str) -> str:
    """Why something behind a URL cannot be read, and what to do."""
    text = _plain(error)
    scheme = _scheme(url)
    if _NO_HADOOP.search(text):
        return (f"{text}: hdfs:// needs Java and Hadoop's native library on this machine (set "
                "JAVA_HOME, HADOOP_HOME and CLASSPATH); webhdfs://HOST:9870/PATH does without")
    if isinstance(error, PermissionError) or _REFUSED.search(text):
        return f"{text}: {_KEYS.get(scheme, 'see that you may read it')}"
    if isinstance(error, FileNotFoundError):
        said = text if " " in text else "there is nothing of this name"
        return f"{said}: see that the address is right, and that you may read it"
    return text


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()


def _plain(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return printable(_SECRET.sub("", text[:_MOST]))
